import {Secret} from '../../../api/secret.ts';
import {sanitiseWord} from '../../../log/text/sanitise.ts';
import {type Command, keyFor} from '../../keys/keymap.ts';
import {movement} from '../../keys/movement.ts';
import type {RecordField} from '../../record/record-fields.ts';
import {nameCharsMax} from '../../rows/word-limits.ts';
import {withLog} from '../../state/handler.ts';
import {type LogState, type PodsPane, paneRows, type State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {listPods, openedPod, type SourcedPod, selectedPod} from './list-pods.ts';
import {focusedPodField, groupPod} from './pod-fields.ts';
import {isShownSecret, revealPodSecret} from './reveal-pod-secret.ts';
import {showLinesOf} from './seek-pod-lines.ts';

export const openPods = (state: State, log: LogState): State =>
  withLog(state, {...log, overlay: {kind: 'pods', selectedId: listPods(log)[0]?.id}});

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
  if (field !== undefined && (command === 'openLine' || command === 'pickLines')) {
    return revealPodSecret(state, log, pane, field);
  }
  if (field !== undefined && command === 'copyLines') {
    return copy(state, opened, pane, field);
  }
  const index = fields.findIndex(({key}) => key === field?.key);
  return distance === undefined ? stay(state) : withPane({details: {fieldKey: moved(fields, index, distance)?.key}});
};

const moved = <T>(items: readonly T[], index: number, distance: number): T | undefined =>
  items[Math.max(0, Math.min(items.length - 1, index + distance))];

/** Copies a field as received; a secret only while it is shown. */
const copy = (state: State, {pod}: SourcedPod, pane: PodsPane, field: RecordField): Step => {
  const {label, value} = field;
  const what = sanitiseWord(`${label.trim() || 'the field'} of ${pod.name}`, nameCharsMax);
  if (!(value instanceof Secret)) {
    return stay(state, {kind: 'copy', text: value, what});
  }
  return isShownSecret(pane, field)
    ? stay(state, {kind: 'copy', text: value.reveal(), what})
    : stay({...state, notice: `reveal the secret before copying it: ${keyFor('openLine', 'log')}`});
};
