import type {Readable} from 'node:stream';
import type {SecureContext} from 'node:tls';

/** A way to send requests: an HTTP/2 connection, or HTTP/1.1 with as many as it takes. */
export interface Link {
  /** With which certificates it was opened. */
  readonly secureContext: SecureContext;
  /** Whether it takes a further request. */
  hasRoom(): boolean;
  /** Whether it is open but unused. */
  isIdle(): boolean;
  /**
   * Resolves when the headers have come. Rejects with a `StaleLinkError` if it was the connection's age that made the
   * request fail: it can be sent again.
   */
  send(request: LinkRequest, signal: AbortSignal): Promise<LinkAnswer>;
  /** Ends all requests. */
  close(): void;
}

export type LinkRequest = {
  readonly path: string;
  /** A list is sent as one line for each value. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The answer has no end. */
  readonly isEndless: boolean;
};

/** What a path is asked with; what is undefined is left out. */
export type LinkQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns a path with its query. */
export const formatTarget = (path: string, query: LinkQuery = {}): string => {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      fields.set(name, String(value));
    }
  }
  return `${path}${fields.size > 0 ? `?${fields}` : ''}`;
};

export type LinkAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readable;
  /** Whether the server ended the body properly. Known when it has closed. */
  isWhole(): boolean;
  /** Ends the answer, whatever is left of it. */
  cancel(): void;
};

/** A connection that had served before was closed before it answered. */
export class StaleLinkError extends Error {
  override readonly name = 'StaleLinkError';
}

/** The other end answers nothing any more, although nobody has closed the connection. */
export class SilentLinkError extends Error {
  override readonly name = 'SilentLinkError';
}
