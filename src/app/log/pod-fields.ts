import type {PodRecord} from '#api/client/answer.ts';
import type {PodsPane} from '#app/panes/panes.ts';
import {type OpenRecord, stillRevealed} from '#app/record/open-record.ts';
import {field, flattenFields, type RecordField, type RecordGroup, tableFields} from '#app/record/record-fields.ts';
import type {State} from '#app/state/state.ts';
import {withLog} from '#app/state/step.ts';
import {partWord} from '#app/words/branch-labels.ts';
import {isTable, type Table} from '#base/table.ts';
import {createWeakCache, once} from '#log/buffer/weak-cache.ts';
import type {HeldSource} from '#log/view/sources.ts';
import {countOf, formatCount} from '#log/words/format-count.ts';
import {sourceWordsInFull} from '#log/words/source-words.ts';
import {listPods, openedPod, type SourcedPod} from './list-pods.ts';

/**
 * Returns all that is known of a pod, in groups: every field of section 2.5 of the interface specification that its
 * record has, and those that the specification does not name. Empty groups are left out.
 */
export const groupPod = (
  {context}: Pick<State, 'context'>,
  {pod, image, written}: SourcedPod,
): readonly RecordGroup[] => {
  const part = partWord(context);
  const isFile = part === 'file';
  return [
    {
      title: `${part.charAt(0).toUpperCase()}${part.slice(1)}`,
      fields: [
        ...field('name', 'name', pod.name),
        ...(isFile ? [] : field('image', 'image of branch', image)),
        ...(isFile ? [] : field('resourceVersion', 'version', pod.resourceVersion)),
      ],
    },
    ...(written.length === 0 ? [] : [{title: 'Lines held', fields: written.flatMap(writtenField)}]),
    // A file has none; those of its record are made up.
    ...(isFile ? [] : metadataGroups(pod)),
  ];
};

const writtenField = ({name, lineCount, gapCount}: HeldSource, index: number): readonly RecordField[] =>
  field(
    `written.${index}`,
    sourceWordsInFull({...name, pod: undefined}) || 'lines',
    `${formatCount(lineCount)}${gapCount === 0 ? '' : `, ${countOf(gapCount, 'gap')}`}`,
  );

const metadataGroups: (pod: PodRecord) => readonly RecordGroup[] = once(createWeakCache(), ({metadata}) => {
  const {labels, annotations, ownerReferences, managedFields, ...others} = metadata;
  return [
    {title: 'Labels', fields: tableFields('labels', 'labels', labels, [])},
    {title: 'Annotations', fields: tableFields('annotations', 'annotations', annotations, [])},
    {
      title: 'Owners',
      fields: eachOf('ownerReferences', 'owner', ownerReferences, (key, owner) =>
        tableFields(key, 'owner', owner, [
          ['kind', 'kind'],
          ['name', '  name'],
          ['uid', '  uid'],
          ['apiVersion', '  api version'],
          ['controller', '  controller'],
          ['blockOwnerDeletion', '  blocks delete'],
        ]),
      ),
    },
    {
      title: 'Metadata',
      fields: tableFields('metadata', 'metadata', others, [
        ['creationTimestamp', 'created', {isTime: true}],
        ['generateName', 'named after'],
        ['namespace', 'namespace'],
        ['uid', 'uid'],
        ['selfLink', 'link'],
        ['name', 'name'],
        ['resourceVersion', 'version'],
      ]),
    },
    {title: 'Managed fields', fields: eachOf('managedFields', 'manager', managedFields, managedRows)},
  ].filter(({fields}) => fields.length > 0);
});

/** Returns the record of an open pod. */
export const podRecord = (state: Pick<State, 'context'>, pod: SourcedPod, place: PodsPane): OpenRecord => ({
  ownerId: pod.key,
  ownerName: pod.pod.name,
  fields: groupPod(state, pod).flatMap(({fields}) => fields),
  place,
});

/** Keeps the secret of an open pod revealed as long as it may be. */
export const settlePodSecret = (state: State): State => {
  const {log} = state;
  const pane = log?.overlay;
  if (log === undefined || pane?.kind !== 'pods' || pane.revealed === undefined) {
    return state;
  }
  const opened = openedPod(listPods(log), pane);
  const revealed = opened && stillRevealed(state, podRecord(state, opened, pane));
  return revealed === pane.revealed ? state : withLog(state, {...log, overlay: {...pane, revealed}});
};

/** Returns the fields of each item of a list; anything that is not a list is one field. */
const eachOf = (
  key: string,
  label: string,
  list: unknown,
  read: (key: string, item: unknown) => readonly RecordField[],
): readonly RecordField[] =>
  Array.isArray(list) ? list.flatMap((item, index) => read(`${key}.${index}`, item)) : field(key, label, list);

const managedRows = (key: string, item: unknown): readonly RecordField[] => {
  const {fieldsV1, ...others}: Table = isTable(item) ? item : {};
  const known = tableFields(key, 'manager', isTable(item) ? others : item, [
    ['manager', 'manager'],
    ['operation', '  operation'],
    ['apiVersion', '  api version'],
    ['time', '  time', {isTime: true}],
    ['fieldsType', '  type'],
  ]);
  if (!isTable(fieldsV1)) {
    return [...known, ...field(`${key}.fieldsV1`, '  fields', fieldsV1)];
  }
  return [
    ...known,
    ...flattenFields(fieldsV1).flatMap(({path, name = '', value}, index) =>
      // The names of managed fields are all that matters; their values are empty objects.
      field(`${key}.fieldsV1.${index}`, index === 0 ? '  fields' : '', `${path}${name}${leafWords(value)}`),
    ),
  ];
};

const leafWords = (value: unknown): string =>
  isTable(value) && Object.keys(value).length === 0 ? '' : `: ${String(value)}`;
