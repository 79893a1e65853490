import type {Piece} from '../fields/access-line.ts';
import {findReportedRequest} from '../fields/reported-request.ts';
import {type LaidGround, showBehind, showTime} from './laid-ground.ts';
import {createLaidRow, type LaidLine} from './laid-row.ts';
import {bytesPart, layOutRequest, takenPart} from './lay-out-request.ts';

/**
 * Lays out a request that a framework or HAProxy reports in a form of its own, like a line of an access log. Returns
 * undefined for other lines.
 */
export const layOutReported = (ground: LaidGround): LaidLine | undefined => {
  const {received, columns} = ground;
  const ranges = findReportedRequest(received);
  if (ranges === undefined) {
    return undefined;
  }
  const pieceOf = (name: string): Piece | undefined => {
    const range = ranges[name];
    return range && {start: range[0], end: range[1]};
  };
  const [answered, asked, bytes] = [pieceOf('status'), pieceOf('path'), pieceOf('bytes')];
  if (answered === undefined || asked === undefined) {
    return undefined;
  }
  const taken = pieceOf('took') ?? pieceOf('ms');
  const row = createLaidRow(received);
  layOutRequest(
    row,
    {
      status: answered,
      method: pieceOf('method'),
      path: asked,
      bytes: bytes && bytesPart(received, bytes),
      seconds: taken && takenPart(received, taken),
      client: pieceOf('client'),
    },
    columns,
  );
  for (const part of ['b1', 'b2', 'b3', 'protocol', 'b4'].map(pieceOf)) {
    showBehind(row, part && trim(received, part));
  }
  showTime(row, ground, pieceOf('time'));
  showTime(row, ground, pieceOf('stamp'));
  return row.line();
};

const trim = (received: string, {start, end}: Piece): Piece => {
  const text = received.slice(start, end);
  const isNothing = text.trim() === '-';
  return {start: start + text.length - text.trimStart().length, end: isNothing ? start : start + text.trimEnd().length};
};
