import type {ServerResponse} from 'node:http';
import type {FastifyReply} from 'fastify';
import type {Fault} from '#service/backend/backend.ts';
import type {WindowBody} from '../body/window-bodies.ts';

/** Sends a complete but wrong answer: an error status, or a body that does not match the interface. */
export const sendWrongAnswer = (
  reply: FastifyReply,
  fault: Extract<Fault, {readonly kind: 'status' | 'body'}>,
): FastifyReply =>
  fault.kind === 'status'
    ? reply
        .code(fault.status)
        .headers(fault.headers ?? {})
        .send({message: `The service answers with status ${fault.status} on purpose.`})
    : reply.code(200).header('content-type', fault.contentType).send(fault.body);

/** Sends half of a body, after its headers, then closes the connection. */
export const sendHalf = (response: ServerResponse, {pieces}: WindowBody): void => {
  const body = Buffer.concat(pieces);
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
};
