import type {KubeResponse} from '../listener/open-listener.ts';

export type StreamKind = 'watch' | 'log';

/** An answer that stays open: a watch or a followed log. */
export type OpenStream = {
  readonly kind: StreamKind;
  readonly user: string;
  readonly namespace: string;
  /** The resource of a watch, the pod of a log. */
  readonly name: string;
  /** Empty for a watch. */
  readonly container: string;
  /** Writes bytes (latin1). False once it has ended; what a frozen stream is given is lost, as on a dead connection. */
  send(bytes: string): boolean;
  /** Ends as if all were well. */
  end(): void;
  /** Breaks off: a reset of the stream, or of the connection with HTTP/1.1. */
  cut(): void;
  /** Nothing more is sent and nothing is closed, as with a connection that broke without a word. */
  freeze(): void;
  /** The next bytes are sent up to their middle, and then the stream ends as if all were well. */
  endInNextLine(): void;
  readonly isOpen: boolean;
  /** The client does not read: what is sent now only piles up. */
  readonly isBlocked: boolean;
  readonly isFrozen: boolean;
  onClose(listener: () => void): void;
  /** The client reads again. */
  onDrain(listener: () => void): void;
};

export type OpenStreams = {
  open(
    response: KubeResponse,
    about: Pick<OpenStream, 'kind' | 'user' | 'namespace' | 'name' | 'container'>,
  ): OpenStream;
  list(kind?: StreamKind): readonly OpenStream[];
};

/** Keeps the answers that stay open, so that tests can spoil them. */
export const createOpenStreams = (): OpenStreams => {
  const streams = new Set<OpenStream>();

  return {
    open: (response, about) => {
      const closed: (() => void)[] = [];
      let isOpen = true;
      let isFrozen = false;
      let isBlocked = false;
      let endsInNextLine = false;

      const close = (): void => {
        if (isOpen) {
          isOpen = false;
          streams.delete(stream);
          for (const listener of closed) {
            listener();
          }
        }
      };
      // One signature serves both kinds of response, whose own ones TypeScript cannot unite.
      const write: (chunk: string, encoding: BufferEncoding) => boolean = response.write.bind(response);

      const stream: OpenStream = {
        ...about,
        send: bytes => {
          if (!isOpen || isFrozen || bytes === '') {
            return isOpen;
          }
          if (endsInNextLine) {
            write(bytes.slice(0, Math.ceil(bytes.length / 2)), 'latin1');
            stream.end();
            return false;
          }
          isBlocked = !write(bytes, 'latin1');
          return true;
        },
        end: () => {
          close();
          response.end();
        },
        cut: () => {
          close();
          if ('stream' in response) {
            response.stream.close(2);
          } else {
            response.socket?.destroy();
          }
        },
        freeze: () => {
          isFrozen = true;
        },
        endInNextLine: () => {
          endsInNextLine = true;
        },
        get isOpen() {
          return isOpen;
        },
        get isBlocked() {
          return isBlocked;
        },
        get isFrozen() {
          return isFrozen;
        },
        onClose: listener => {
          closed.push(listener);
        },
        onDrain: listener => {
          response.on('drain', () => {
            isBlocked = false;
            listener();
          });
        },
      };
      response.on('close', close);
      response.on('error', () => {});
      streams.add(stream);
      return stream;
    },
    list: kind => [...streams].filter(stream => kind === undefined || stream.kind === kind),
  };
};
