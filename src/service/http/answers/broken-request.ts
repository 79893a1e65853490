import type {Duplex} from 'node:stream';

type Reason = {readonly status: string; readonly message: string};

const describe = (code: string | undefined): Reason => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {status: '431 Request Header Fields Too Large', message: 'The headers of the request are too large.'};
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {status: '408 Request Timeout', message: 'The request did not arrive in time.'};
    default:
      return {status: '400 Bad Request', message: 'The request is not valid HTTP.'};
  }
};

/** Sends an error in the form of every other one on a bare connection, and closes it. */
export const endWithError = (socket: Duplex, {status, message}: Reason): void => {
  const body = JSON.stringify({message});
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
};

/** Answers bytes that could not be parsed as a request, and closes the connection. */
export const answerBrokenRequest = (error: Error & {readonly code?: string}, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  endWithError(socket, describe(error.code));
};
