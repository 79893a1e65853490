import type {Piece} from '../fields/access-line.ts';
import {sanitise} from '../text/sanitise.ts';
import {isShownTime, type LaidGround, showBehind, showLevel, showTime} from './laid-ground.ts';
import {createLaidRow, type LaidLine, type LaidRow} from './laid-row.ts';
import {layOutAccess} from './lay-out-access.ts';
import {layOutRecord} from './lay-out-record.ts';
import {layOutReported} from './lay-out-reported.ts';
import {readFormParts} from './line-forms.ts';
import {readJsonFields, readLogfmtFields} from './read-fields.ts';

/** Adds a message, and the fields of a record that it is or ends with. Returns whether there is one. */
const layOutMessage = (row: LaidRow, ground: LaidGround, {start, end}: Piece): boolean => {
  const received = ground.received.slice(0, end);
  const json = readJsonFields(received, start);
  const record = json ?? readLogfmtFields(received, start);
  const lead = received.slice(start, record === undefined ? end : (json?.start ?? start)).trimEnd();
  row.show({start, end: start + lead.length});
  if (record !== undefined) {
    layOutRecord(row, ground, record);
  }
  return record !== undefined;
};

const layOutText = (ground: LaidGround): LaidLine | undefined => {
  const parts = readFormParts(ground.received, ground.level);
  if (parts === undefined) {
    return undefined;
  }
  const {time, level, label, message, behind} = parts;
  if (
    level === undefined &&
    label === undefined &&
    behind.length === 0 &&
    time !== undefined &&
    !isShownTime(ground, time)
  ) {
    // Nothing but a time is known, and it has to stay.
    return undefined;
  }
  const row = createLaidRow(ground.received);
  if (label !== undefined) {
    row.show(label);
    row.add('  ');
  }
  layOutMessage(row, ground, message);
  for (const part of behind) {
    showBehind(row, part);
  }
  showLevel(row, ground, level);
  showTime(row, ground, time);
  return row.line();
};

/** A line that is a record, or ends with one after a text of unknown form, which stays as it is. */
const layOutWhole = (ground: LaidGround): LaidLine | undefined => {
  const row = createLaidRow(ground.received);
  return layOutMessage(row, ground, {start: 0, end: ground.received.length}) ? row.line() : undefined;
};

/**
 * Lays out a line for reading: what decides first, then the rest as quiet pieces; the time and the level that stand
 * beside the row are left out, and so are signs that only separate. Returns undefined for a line whose format is not
 * known for certain: it is shown as received. The row is safe, and sanitising it again changes nothing. The cost is
 * that of finding the line's fields.
 */
export const layOutLine = (ground: LaidGround): LaidLine | undefined => {
  const laid = layOutAccess(ground) ?? layOutReported(ground) ?? layOutText(ground) ?? layOutWhole(ground);
  return laid === undefined || sanitise(laid.text) !== laid.text ? undefined : laid;
};
