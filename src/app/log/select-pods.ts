import {type ListPane, listRoom} from '#app/choices/list-pane.ts';
import type {Hint} from '#app/help/select-hints.ts';
import type {PodsPane} from '#app/panes/panes.ts';
import type {Frame} from '#app/parts/frame.ts';
import {fieldInFocus, isRevealed} from '#app/record/open-record.ts';
import {selectRecord} from '#app/record/select-branch-record.ts';
import {joinParts, wrapProse} from '#app/rows/fit-row.ts';
import {type Span, span} from '#app/rows/view-row.ts';
import type {LogState} from '#app/state/state.ts';
import {paneRows} from '#app/state/step.ts';
import {labelBranches, partWord} from '#app/words/branch-labels.ts';
import {serviceNowMs} from '#app/words/format-time.ts';
import {Secret} from '#base/secret.ts';
import {cutToCells, padToCells} from '#log/text/cut.ts';
import {type ColumnWidths, fitColumns} from '#log/text/fit-columns.ts';
import {cellWidth} from '#log/text/width.ts';
import {countPods, listPods, openedPod, type PodWords, podWords, type SourcedPod, troubleRows} from './list-pods.ts';
import {groupPod, podRecord} from './pod-fields.ts';

/** Returns the pane of the pods: the list, or the record of the open pod. */
export const listPodsPane = (frame: Frame, log: LogState, pane: PodsPane): ListPane => {
  const pods = listPods(log);
  const opened = openedPod(pods, pane);
  return opened === undefined ? listAll(frame, log, pods) : listOpened(frame, opened, pane);
};

const listOpened = (frame: Frame, pod: SourcedPod, pane: PodsPane): ListPane => {
  const {name, age, when} = podWords(frame, pod);
  const record = podRecord(frame, pod, pane);
  const field = fieldInFocus(record);
  const focus = field && {fieldKey: field.key, isRevealed: isRevealed(record, field)};
  const title = joinParts(
    [
      {row: [span(name, 'strong')], rank: 0},
      {row: [span(ageAndWhen({age, when}), 'dim')], rank: 1},
    ],
    frame.columns,
  );
  const rows = selectRecord(
    groupPod(frame, pod),
    serviceNowMs(frame),
    frame.columns - 1,
    listRoom(frame, {title}),
    focus,
  );
  return {
    title,
    rows: rows.map(row => ({row: () => [span(' '), ...row]})),
    hints: openedHints(partWord(frame.context), field?.value instanceof Secret),
  };
};

const listAll = (frame: Frame, log: LogState, pods: readonly SourcedPod[]): ListPane => {
  const {columns} = frame;
  // Pods that cannot start are not among those that the service lists.
  const troubles = log.sources.flatMap(({branch}) => troubleRows(branch)).flatMap(row => wrapProse(row, columns));
  if (pods.length === 0) {
    const isAsking = log.sources.every(({tail}) => tail.log.before === undefined);
    const words = isAsking ? 'Asking for the pods…' : 'No pods of this branch are listed.';
    return {
      title: [],
      rows: [...wrapProse([span(words)], columns), ...troubles].map(row => ({row: () => row})),
      hints: listHints(partWord(frame.context)),
    };
  }
  const isOfFiles = frame.context.parts === 'none';
  const all = pods.map(pod => ({pod, words: podWords(frame, pod)}));
  const labels = labelBranches(
    log.sources.map(({branch}) => branch),
    columns,
  );
  const layout = layOut(
    all.map(({words}) => words),
    columns - indicatorColumns - (labels[0] === undefined ? 0 : labels[0].columns + gap),
  );
  const rows = all.map(({pod, words}) => {
    const label = labels[pod.source];
    return {
      key: pod.key,
      row: () => [
        ...(label === undefined ? [] : [span(`${label.short}  `, label.tone)]),
        ...podRow(words, layout, pod.wentAtMs !== undefined),
      ],
    };
  });
  // Under the list, or at the bottom of one that scrolls.
  const hasRoom = rows.length + troubles.length < paneRows(frame);
  return {
    title: joinParts(
      [
        {row: [span(countPods(pods, partWord(frame.context)), 'strong')], rank: 0},
        {row: isOfFiles ? [] : [span("images as in the branch's record", 'dim')], rank: 1},
      ],
      columns,
    ),
    rows: [...rows, ...(hasRoom ? troubles.map(row => ({row: () => row})) : [])],
    foot: hasRoom ? [] : troubles,
    hints: listHints(partWord(frame.context)),
  };
};

const ageAndWhen = ({age, when}: Pick<PodWords, 'age' | 'when'>): string =>
  [age, when].filter(words => words !== '').join(', ');

const indicatorColumns = 3;
const gap = 2;
const nameCellsMin = 8;
/** As wide as `59 min` and `12 days`. */
const runningAgeCells = 7;

type Name = 'name' | 'state' | 'owner' | 'image';

/** `isAgeOnly`: there is no room for the second time. */
type Layout = {readonly cellsOf: ColumnWidths<Name>; readonly isAgeOnly: boolean};

/** Lays out the columns: a narrow terminal has no room for the owner, then for the image, then for the second time. */
const layOut = (all: readonly PodWords[], columns: number): Layout => {
  const widest = (read: (words: PodWords) => string): number =>
    all.reduce((most, words) => Math.max(most, cellWidth(read(words))), 0);
  const state = Math.max(widest(ageAndWhen), runningAgeCells + gap + widest(({when}) => when));
  const whole = Number.POSITIVE_INFINITY;
  const cellsOf = fitColumns<Name>({
    natural: column => (column === 'state' ? state : widest(words => words[column])),
    claims: [
      {column: 'name', cells: nameCellsMin},
      {column: 'state', cells: widest(({age}) => age)},
      {column: 'name'},
      {column: 'state', least: whole},
      {column: 'image', least: whole},
      {column: 'owner', least: whole},
    ],
    room: Math.max(columns, nameCellsMin),
    gap,
    isStrict: true,
  });
  return {cellsOf, isAgeOnly: cellsOf('state') < state};
};

const podRow = (words: PodWords, {cellsOf, isAgeOnly}: Layout, isGone: boolean): readonly Span[] => {
  const tone = isGone ? 'dim' : 'plain';
  const running = `${padToCells(words.age, runningAgeCells)}  ${words.when}`;
  const state = isAgeOnly ? words.age : isGone ? ageAndWhen(words) : running;
  return [
    span(padToCells(cutToCells(words.name, cellsOf('name')), cellsOf('name')), tone),
    span(`  ${padToCells(state, cellsOf('state'))}`, tone),
    ...(cellsOf('owner') === 0 ? [] : [span(`  ${padToCells(words.owner, cellsOf('owner'))}`, 'dim')]),
    ...(cellsOf('image') === 0 ? [] : [span(`  ${words.image}`, tone)]),
  ];
};

const listHints = (part: string): readonly Hint[] => [
  ...(part === 'file' ? [] : [[['openLine'], 'labels and metadata'] satisfies Hint]),
  [['filterIn'], `only this ${part}'s lines`],
  [['back'], 'back'],
  [['moveUp', 'moveDown'], 'choose'],
  [['toggleHelp'], 'help'],
];

const openedHints = (part: string, isSecret: boolean): readonly Hint[] => [
  [['moveUp', 'moveDown'], 'choose'],
  ...(isSecret ? [[['openLine'], 'reveal'] satisfies Hint] : []),
  [['copyLines'], 'copy'],
  [['filterIn'], `only this ${part}'s lines`],
  [['back'], `to the ${part}s`],
  [['toggleHelp'], 'help'],
];
