import { type FrameUnit, formatFrameValue } from '../../../etcd';
import { frameUnitOf, type ProfileSums } from '../../../operations';
import { textTable } from '../../output/text-table';

/** Returns a profile as text: a summary, then functions; with an earlier profile, also the changes. */
export function profileText(title: string, sums: ProfileSums, top: number, earlier?: ProfileSums): string {
  const measure = frameUnitOf(sums.value);
  const earlierTotal = earlier === undefined ? '' : `, was ${formatFrameValue(earlier.total, measure)}`;
  const head = `${title}: ${formatFrameValue(sums.total, measure)} of ${sums.value.type}${earlierTotal}\n\n`;
  return `${head}${pathTable(sums, measure, earlier)}\n${functionTable(sums, measure, top, earlier)}`;
}

const share = (part: number, whole: number): string => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`);

function pathTable({ paths, total }: ProfileSums, measure: FrameUnit, earlier?: ProfileSums): string {
  const before = new Map(earlier?.paths.map(({ description, value }) => [description, value]));
  const removed = [...before.keys()].filter((description) => !paths.some((path) => path.description === description));
  const all = [...paths, ...removed.map((description) => ({ description, value: 0 }))];
  const rows = all.map(({ description, value }) => [
    description,
    formatFrameValue(value, measure),
    share(value, total),
    ...(earlier ? [changeText(value - (before.get(description) ?? 0), measure)] : []),
  ]);
  return textTable(['ACTIVITY', 'TOTAL', '', ...(earlier ? ['CHANGE'] : [])], rows);
}

function functionTable(
  { functions, total }: ProfileSums,
  measure: FrameUnit,
  top: number,
  earlier?: ProfileSums,
): string {
  const before = new Map(earlier?.functions.map(({ name, own }) => [name, own]));
  const change = ({ name, own }: { readonly name: string; readonly own: number }): number =>
    own - (before.get(name) ?? 0);
  const removed = (earlier?.functions ?? []).filter(({ name }) => !functions.some((current) => current.name === name));
  const all = earlier
    ? [...functions, ...removed.map(({ name }) => ({ name, own: 0, total: 0 }))].sort(
        (a, b) => Math.abs(change(b)) - Math.abs(change(a)),
      )
    : functions;
  const rows = all
    .slice(0, top)
    .map((sum) => [
      formatFrameValue(sum.own, measure),
      share(sum.own, total),
      formatFrameValue(sum.total, measure),
      share(sum.total, total),
      ...(earlier ? [changeText(change(sum), measure)] : []),
      sum.name,
    ]);
  return textTable(['SELF', '', 'TOTAL', '', ...(earlier ? ['SELF CHANGE'] : []), 'FUNCTION'], rows);
}

const changeText = (change: number, measure: FrameUnit): string =>
  `${change > 0 ? '+' : ''}${formatFrameValue(change, measure)}`;
