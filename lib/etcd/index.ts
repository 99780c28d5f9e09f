/** What an etcd database file holds, without a server: reader, sums, pictures. Bytes come in through `DatabaseBytes`. */

// A file, and what it holds.
export { analyze, type Analyzed, type AnalyzeOptions, type Read } from './analyze';
export { type DatabaseBytes } from './database-bytes';
export {
  type Advice,
  type ByteUse,
  type EtcdContents,
  type GiveBack,
  type Groups,
  type ObjectSum,
  type PageUse,
  type PlaceSum,
  type Quota,
  type Revisions,
  type Sum,
  type WriterSum,
} from './contents';
export { type Damage, type DamageList } from './damage';
export { formats, type Format } from './value-facts';

// Two files.
export { compareContents, type Change, type ContentsDifference } from './difference';

// The wire format of protocol buffers, for other formats that are made of it.
export { Wire } from './wire';

// Pictures.
export { framesOf, grownFramesOf } from './frames';
export { type Frame, widthOf } from './frame';
export { keySpace, measureText, type Measure, type Subject } from './subject';
export { flameHtml } from './flame-html';
export { flameSvg } from './flame-svg';
export { speedscope, type SpeedscopeFile, type SpeedscopeProfile } from './speedscope';
