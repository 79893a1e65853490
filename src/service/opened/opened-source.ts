import type {LineSourceSetup} from '#service/served/line-source.ts';

/** Something that was opened by name: files that are followed, or a stream that is read once, to its end. */
export type OpenedSource = {
  /** As short as tells it from the others. */
  readonly name: string;
  /** What a follower of files, or a reader of a stream, is made of. */
  readonly setup: LineSourceSetup;
  /**
   * `files` are followed; `kept` is a compressed file, whose lines were there before; `live` is a stream whose lines
   * come as they are written.
   */
  readonly kind: 'files' | 'kept' | 'live';
};
