import {cutToCells, padToCells} from '../../../log/cells/cut.ts';
import {cellWidth} from '../../../log/cells/width.ts';
import {visibleRange} from '../../choices/picker.ts';
import {type Hint, joinHints} from '../../help/select-hints.ts';
import {selectRecord} from '../../record/select-branch-record.ts';
import {fitRow, joinParts} from '../../rows/fit-row.ts';
import {type Span, span, type ViewRow} from '../../rows/view-row.ts';
import {wrapProse} from '../../rows/wrap-prose.ts';
import {type LogState, type PodsPane, paneRows, type State} from '../../state/state.ts';
import {labelBranches} from '../../words/branch-labels.ts';
import {serviceNowMs} from '../../words/format-time.ts';
import {countPods, listPods, openedPod, type SourcedPod, selectedPod} from './list-pods.ts';
import {groupPod} from './pod-fields.ts';
import {type PodWords, podWords} from './pod-words.ts';
import {focusedPodField} from './update-pods.ts';

/** Returns the pane of the pods: a title row and the list, or the record of the open pod. */
export const selectPods = (state: State, log: LogState, pane: PodsPane): readonly ViewRow[] => {
  const pods = listPods(log);
  const opened = openedPod(pods, pane);
  const rows = paneRows(state);
  const list = opened === undefined ? selectList(state, log, pane, pods) : selectOpened(state, opened, pane);
  return (rows === 1 ? list.slice(1) : list).slice(0, rows).map(row => fitRow(row, state.columns));
};

const bodyRows = (state: Pick<State, 'rows'>): number => Math.max(1, paneRows(state) - 1);

const selectOpened = (state: State, pod: SourcedPod, pane: PodsPane): readonly ViewRow[] => {
  const {name, age, when} = podWords(state, pod);
  const field = focusedPodField(pod, pane);
  const focus = {fieldKey: field?.key ?? '', isRevealed: false};
  const record = selectRecord(groupPod(pod), serviceNowMs(state), state.columns - 1, bodyRows(state), focus);
  return [
    joinParts(
      [
        {row: [span(name, 'strong')], rank: 0},
        {row: [span(ageAndWhen({age, when}), 'dim')], rank: 1},
      ],
      state.columns,
    ),
    ...record.map(row => [span(' '), ...row]),
  ];
};

const selectList = (state: State, log: LogState, pane: PodsPane, pods: readonly SourcedPod[]): readonly ViewRow[] => {
  const {columns} = state;
  const selected = selectedPod(pods, pane);
  if (selected === undefined) {
    const isAsking = log.sources.every(({tail}) => tail.log.before === undefined);
    const words = isAsking ? 'Asking the service for the pods…' : 'The service lists no pods of this branch.';
    return [[], ...wrapProse([span(words)], columns)];
  }
  const all = pods.map(pod => podWords(state, pod));
  const labels = log.sources.length === 1 ? [] : labelBranches(log.sources.map(({branch}) => branch));
  const layout = layOut(all, columns - indicatorColumns - (labels[0] === undefined ? 0 : labels[0].columns + gap));
  const {from, to} = visibleRange(pods.length, pods.indexOf(selected), bodyRows(state));
  return [
    joinParts(
      [
        {row: [span(countPods(pods), 'strong')], rank: 0},
        {row: [span("images as in the branch's record", 'dim')], rank: 1},
      ],
      columns,
    ),
    ...pods.slice(from, to).map((pod, index): ViewRow => {
      const label = labels[pod.source];
      return [
        pod === selected ? span(' ▸ ', 'accent') : span('   '),
        ...(label === undefined ? [] : [span(`${label.short}  `, label.tone)]),
        ...podRow(all[from + index] ?? noWords, layout, pod.wentAtMs !== undefined),
      ];
    }),
  ];
};

const ageAndWhen = ({age, when}: Pick<PodWords, 'age' | 'when'>): string =>
  [age, when].filter(words => words !== '').join(', ');

const noWords: PodWords = {name: '', age: '', when: '', owner: '', image: ''};
const indicatorColumns = 3;
const gap = 2;

/** Widths in cells. A column that does not fit is 0. */
type Layout = {readonly name: number; readonly age: number; readonly state: number; readonly owner: number};

const stateOf = ({age, when}: PodWords, isGone: boolean, {age: ageCells, state}: Layout): string => {
  if (state === 0) {
    return padToCells(age, ageCells);
  }
  return padToCells(isGone ? ageAndWhen({age, when}) : `${padToCells(age, runningAgeCells)}  ${when}`, state);
};

/** As wide as `59 min` and `12 days`. */
const runningAgeCells = 7;

/** Lays out the columns: a narrow terminal has no room for the owner, then for the image, then for the second time. */
const layOut = (all: readonly PodWords[], columns: number): Layout & {readonly hasImage: boolean} => {
  const widest = (read: (words: PodWords) => string): number => Math.max(...all.map(words => cellWidth(read(words))));
  const name = widest(words => words.name);
  const age = widest(words => words.age);
  const state = Math.max(
    widest(words => ageAndWhen(words)),
    runningAgeCells + gap + widest(({when}) => when),
  );
  const owner = widest(words => words.owner);
  const image = widest(words => words.image);
  const left = columns - name - gap - state;
  const hasImage = image > 0 && left >= gap + image;
  const hasOwner = owner > 0 && left >= gap + owner + (image > 0 ? gap + image : 0);
  return left >= 0
    ? {name, age, state, owner: hasOwner ? owner : 0, hasImage}
    : {name: Math.max(nameCellsMin, columns - gap - age), age, state: 0, owner: 0, hasImage: false};
};

const nameCellsMin = 8;

const podRow = (words: PodWords, layout: ReturnType<typeof layOut>, isGone: boolean): readonly Span[] => [
  span(padToCells(cutToCells(words.name, layout.name), layout.name), isGone ? 'dim' : 'plain'),
  span(`  ${stateOf(words, isGone, layout)}`, isGone ? 'dim' : 'plain'),
  ...(layout.owner === 0 ? [] : [span(`  ${padToCells(words.owner, layout.owner)}`, 'dim')]),
  ...(layout.hasImage ? [span(`  ${words.image}`, isGone ? 'dim' : 'plain')] : []),
];

const listHints: readonly Hint[] = [
  [['openLine'], 'labels and metadata'],
  [['filterIn'], "only this pod's lines"],
  [['back'], 'back'],
  [['moveUp', 'moveDown'], 'choose'],
  [['toggleHelp'], 'help'],
];

const openedHints: readonly Hint[] = [
  [['moveUp', 'moveDown'], 'choose'],
  [['copyLines'], 'copy'],
  [['filterIn'], "only this pod's lines"],
  [['back'], 'to the pods'],
  [['toggleHelp'], 'help'],
];

/** Returns the key hints of the pods, which have their own keys while they are open. */
export const selectPodsHints = ({details}: PodsPane, columns: number): ViewRow =>
  joinHints('log', details === undefined ? listHints : openedHints, columns);
