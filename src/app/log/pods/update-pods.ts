import {Secret} from '../../../api/secret.ts';
import {sanitiseWord} from '../../../log/text/sanitise.ts';
import type {Command} from '../../keys/keymap.ts';
import {movement} from '../../keys/movement.ts';
import type {RecordField} from '../../record/record-fields.ts';
import {nameCharsMax} from '../../rows/word-limits.ts';
import {withLog} from '../../state/handler.ts';
import {type LogState, type PodsPane, paneRows, type State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {listPods, openedPod, type SourcedPod, selectedPod} from './list-pods.ts';
import {groupPod} from './pod-fields.ts';
import {showLinesOf} from './seek-pod-lines.ts';

export const openPods = (state: State, log: LogState): State =>
  withLog(state, {...log, overlay: {kind: 'pods', selectedId: listPods(log)[0]?.id}});

/** Returns the highlighted field of a pod's record, or its first field. */
export const focusedPodField = (pod: SourcedPod, {details}: PodsPane): RecordField | undefined => {
  const fields = groupPod(pod).flatMap(group => group.fields);
  return fields.find(({key}) => key === details?.fieldKey) ?? fields[0];
};

/** Handles all commands while the pods are open, so that the log underneath stays where it is. */
export const updatePods = (state: State, log: LogState, pane: PodsPane, command: Command): Step => {
  const withPane = (change: Partial<PodsPane>): Step => stay(withLog(state, {...log, overlay: {...pane, ...change}}));
  const pods = listPods(log);
  const opened = openedPod(pods, pane);
  const pod = opened ?? selectedPod(pods, pane);
  if (command === 'togglePods' || (command === 'back' && opened === undefined)) {
    return stay(withLog(state, {...log, overlay: undefined}));
  }
  if (pod === undefined) {
    return stay(state);
  }
  if (command === 'filterIn') {
    return stay(showLinesOf(state, log, pod.pod.name, pods));
  }
  const distance = movement(command, Math.max(1, paneRows(state) - 2));
  if (opened === undefined) {
    if (command === 'openLine') {
      return withPane({selectedId: pod.id, details: {fieldKey: undefined}});
    }
    return distance === undefined
      ? stay(state)
      : withPane({selectedId: moved(pods, pods.indexOf(pod), distance)?.id, details: undefined});
  }
  if (command === 'back') {
    return withPane({details: undefined});
  }
  const fields = groupPod(opened).flatMap(group => group.fields);
  const field = focusedPodField(opened, pane);
  if (command === 'copyLines' && field !== undefined) {
    return copy(state, opened, field);
  }
  const index = fields.findIndex(({key}) => key === field?.key);
  return distance === undefined ? stay(state) : withPane({details: {fieldKey: moved(fields, index, distance)?.key}});
};

const moved = <T>(items: readonly T[], index: number, distance: number): T | undefined =>
  items[Math.max(0, Math.min(items.length - 1, index + distance))];

/** Copies a field as received. */
const copy = (state: State, {pod}: SourcedPod, {label, value}: RecordField): Step =>
  value instanceof Secret
    ? stay({...state, notice: 'the secrets of pods are never shown or copied'})
    : stay(state, {
        kind: 'copy',
        text: value,
        what: sanitiseWord(`${label.trim() || 'the field'} of ${pod.name}`, nameCharsMax),
      });
