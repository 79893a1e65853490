import {type Command, keyFor, movement} from '#app/keys/keymap.ts';
import type {RecordPlace, RevealedSecret} from '#app/panes/panes.ts';
import {nameCharsMax} from '#app/rows/fit-row.ts';
import type {State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';
import {Secret} from '#base/secret.ts';
import {sanitiseWord} from '#log/text/sanitise.ts';
import type {RecordField} from './record-fields.ts';

/** How long a revealed secret stays readable, milliseconds. */
export const revealMs = 15_000;

/** A record whose fields take the keys: that of a branch, or of a pod. */
export type OpenRecord = {
  /** The id and name of the branch or pod. Foreign text. */
  readonly ownerId: string;
  readonly ownerName: string;
  readonly fields: readonly RecordField[];
  readonly place: RecordPlace;
};

/** Returns the highlighted field, or the first one if it is not there (any more); undefined outside the record. */
export const fieldInFocus = ({fields, place: {details}}: OpenRecord): RecordField | undefined =>
  details && (fields.find(({key}) => key === details.fieldKey) ?? fields[0]);

/** Checks for the secret that is revealed now. */
export const isRevealed = (
  {ownerId, place: {revealed}}: Pick<OpenRecord, 'ownerId' | 'place'>,
  {key, value}: RecordField,
): boolean =>
  revealed !== undefined &&
  revealed.ownerId === ownerId &&
  revealed.fieldKey === key &&
  value instanceof Secret &&
  value.reveal() === revealed.secret.reveal();

/**
 * Checks for values never to be shown: private keys, which nobody needs on a screen, and anything in place of a
 * certificate.
 */
const isNeverShown = ({key, value}: RecordField): boolean =>
  value instanceof Secret && (/private.?key|sslCertificate/i.test(key) || /PRIVATE KEY/.test(value.reveal()));

/** How the record of a screen is used: what its commands are called there, and where its place is in the state. */
export type RecordUse = {
  readonly screen: 'branches' | 'log';
  readonly reveal: Command;
  readonly copy: Command;
  readonly pageRows: number;
  readonly withPlace: (place: RecordPlace) => State;
};

/** Moves through the fields, reveals or copies one; returns undefined for all other commands. */
export const pressInRecord = (state: State, record: OpenRecord, command: Command, use: RecordUse): Step | undefined => {
  const {fields, place} = record;
  const field = fieldInFocus(record);
  if (field === undefined) {
    return undefined;
  }
  if (command === use.copy) {
    return copyField(state, record, field, use);
  }
  if (command === use.reveal || command === 'revealSecret' || command === 'pickLines') {
    return revealField(state, record, field, use);
  }
  const distance = movement(command, use.pageRows);
  const index = Math.max(0, Math.min(fields.length - 1, fields.indexOf(field) + (distance ?? 0)));
  return distance === undefined ? undefined : next(use.withPlace({...place, details: {fieldKey: fields[index]?.key}}));
};

/** Reveals a secret for a while, and masks any other; masks it if it is revealed. */
const revealField = (state: State, record: OpenRecord, field: RecordField, use: RecordUse): Step => {
  const {key, value} = field;
  const copyKey = keyFor(use.copy, use.screen);
  if (!(value instanceof Secret)) {
    return next({...state, notice: `this is not a secret; ${copyKey} copies it`});
  }
  if (isNeverShown(field)) {
    return next({...state, notice: 'private keys are never shown'});
  }
  if (isRevealed(record, field)) {
    return next(use.withPlace({...record.place, revealed: undefined}));
  }
  const revealed = {ownerId: record.ownerId, fieldKey: key, secret: value, untilMs: state.nowMs + revealMs};
  const notice = `shown for ${revealMs / 1000} s, or until you move on; ${copyKey} copies it`;
  return next(
    {...use.withPlace({details: {fieldKey: key}, revealed}), notice},
    {kind: 'hideSecretAfter', delayMs: revealMs},
  );
};

/** Copies a field as received; a secret only while it is revealed. */
const copyField = (state: State, record: OpenRecord, field: RecordField, use: RecordUse): Step => {
  const {label, value} = field;
  const what = sanitiseWord(`${label.trim() || 'the field'} of ${record.ownerName}`, nameCharsMax);
  if (!(value instanceof Secret)) {
    return next(state, {kind: 'copy', text: value, what});
  }
  if (isNeverShown(field)) {
    return next({...state, notice: 'private keys are never shown or copied'});
  }
  return isRevealed(record, field)
    ? next(state, {kind: 'copy', text: value.reveal(), what})
    : next({...state, notice: `reveal the secret before copying it: ${keyFor(use.reveal, use.screen)}`});
};

/**
 * Returns the secret that stays revealed: only while it is the highlighted field, nothing is open over it and its
 * time is not over.
 */
export const stillRevealed = ({focus, nowMs}: State, record: OpenRecord): RevealedSecret | undefined => {
  const field = fieldInFocus(record);
  const {revealed} = record.place;
  return revealed !== undefined &&
    field !== undefined &&
    isRevealed(record, field) &&
    focus.kind === 'screen' &&
    nowMs < revealed.untilMs
    ? revealed
    : undefined;
};
