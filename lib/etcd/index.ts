/** Reader of etcd database files: sums, comparisons and flame graphs, without a server. */

// Analysis of a file.
export { analyze, type AnalyzeResult, type AnalyzeOptions, type AnalyzedDatabase } from './analysis/analyze';
export { type DatabaseFile } from './file/database-file';
export {
  type Advice,
  type ByteUse,
  type EtcdContents,
  type ReclaimableSpace,
  type Groups,
  type ObjectSum,
  type PageUse,
  type ResourceByNamespaceSum,
  type EtcdQuota,
  type Revisions,
  type Sum,
  type WriterSum,
} from './analysis/etcd-contents';
export { type Corruption, type CorruptionList } from './file/corruption-list';
export { valueFormats, type ValueFormat } from './values/value-summary';

// Comparison of two files.
export { compareContents, type RowChange, type ContentsDifference } from './analysis/compare-contents';

// Protobuf wire format, which pprof profiles use too.
export { ProtobufReader } from './values/protobuf-reader';

// Flame graphs.
export { buildFrames, buildDiffFrames } from './flame-graph/build-frames';
export { type Frame, widthOf } from './flame-graph/frame';
export { keySpace, formatFrameValue, type FrameUnit, type FlameSubject } from './flame-graph/subject';
export { flameHtml } from './flame-graph/flame-html';
export { flameSvg } from './flame-graph/flame-svg';
export { speedscope, type SpeedscopeFile, type SpeedscopeProfile } from './flame-graph/speedscope';
