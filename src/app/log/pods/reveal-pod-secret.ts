import {Secret} from '../../../api/secret.ts';
import {keyFor} from '../../keys/keymap.ts';
import {isNeverShown, revealMs} from '../../record/details.ts';
import type {RecordField} from '../../record/record-fields.ts';
import {withLog} from '../../state/handler.ts';
import type {LogState, PodsPane, State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {listPods, openedPod} from './list-pods.ts';
import {focusedPodField} from './pod-fields.ts';

/** Checks whether this is the secret that is shown now. */
export const isShownSecret = ({revealed}: PodsPane, {key, value}: RecordField): boolean =>
  revealed !== undefined &&
  revealed.fieldKey === key &&
  value instanceof Secret &&
  value.reveal() === revealed.secret.reveal();

/** Shows a secret for a while, or masks it again. */
export const revealPodSecret = (state: State, log: LogState, pane: PodsPane, field: RecordField): Step => {
  if (!(field.value instanceof Secret)) {
    return stay({...state, notice: `this is not a secret; ${keyFor('copyLines', 'log')} copies it`});
  }
  if (isNeverShown(field)) {
    return stay({...state, notice: 'private keys are never shown'});
  }
  if (isShownSecret(pane, field)) {
    return stay(withLog(state, {...log, overlay: {...pane, revealed: undefined}}));
  }
  const revealed = {fieldKey: field.key, secret: field.value, untilMs: state.nowMs + revealMs};
  return stay(
    {
      ...withLog(state, {...log, overlay: {...pane, revealed}}),
      notice: `shown for ${revealMs / 1000} s, or until you move on; ${keyFor('copyLines', 'log')} copies it`,
    },
    {kind: 'hideSecretAfter', delayMs: revealMs},
  );
};

/** Keeps a secret shown only while it is the highlighted field, nothing is in front of it and its time is not over. */
export const settlePodSecret = (state: State): State => {
  const {log} = state;
  const pane = log?.overlay;
  if (log === undefined || pane?.kind !== 'pods' || pane.revealed === undefined) {
    return state;
  }
  const opened = openedPod(listPods(log), pane);
  const field = opened && focusedPodField(opened, pane);
  const isReadable =
    field !== undefined &&
    isShownSecret(pane, field) &&
    state.front.kind === 'none' &&
    state.nowMs < pane.revealed.untilMs;
  return isReadable ? state : withLog(state, {...log, overlay: {...pane, revealed: undefined}});
};
