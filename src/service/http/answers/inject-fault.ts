import type {ServerResponse} from 'node:http';
import type {Fault} from '#service/backend/backend.ts';
import type {WindowBody} from '../body/window-bodies.ts';
import {type Exchange, refuse, send} from './exchange.ts';

/** Sends a complete but wrong answer: an error status, or a body that does not match the interface. */
export const sendWrongAnswer = (exchange: Exchange, fault: Extract<Fault, {readonly kind: 'status' | 'body'}>): void =>
  fault.kind === 'status'
    ? refuse(exchange, fault.status, `The service answers with status ${fault.status} on purpose.`, fault.headers)
    : send(exchange, 200, fault.contentType, fault.body);

/** Sends half of a body, after its headers, then closes the connection. */
export const sendHalf = (response: ServerResponse, {pieces}: WindowBody): void => {
  const body = Buffer.concat(pieces);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
};
