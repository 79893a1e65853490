import type {FastifyReply} from 'fastify';
import type {Fault} from '../backend.ts';

/** A complete answer that the server is about to spoil. */
export type CutAnswer = {readonly body: Buffer; readonly headers: Readonly<Record<string, string>>};

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

/** Sends the headers of the whole answer and half of its body, then closes the connection. */
export const sendHalf = (reply: FastifyReply, {body, headers}: CutAnswer): void => {
  const {raw} = reply.hijack();
  raw.writeHead(200, {...headers, 'content-length': String(body.length)});
  raw.write(body.subarray(0, Math.floor(body.length / 2)), () => raw.socket?.destroy());
};
