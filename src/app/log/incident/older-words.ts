import {keyFor} from '#app/keys/keymap.ts';
import type {LogState} from '#app/state/state.ts';
import {canReadOn, type Tail} from '#app/tail/tail.ts';
import type {HeldFrom} from '#log/line/unread.ts';

/** Says how older lines can be had: by a key, by other flags, or not at all. */
export const olderWords = ({sources}: Pick<LogState, 'sources'>): string =>
  sources.some(({tail}) => canReadOn(tail, 'earlier'))
    ? `${keyFor('readOlder', 'log')} reads older lines`
    : whyNoOlder(sources.map(({tail}) => tail));

const whyNoOlder = (tails: readonly Tail[]): string => {
  if (tails.some(({log}) => log.buffer.evictedLines > 0 || log.heldFrom?.why === 'unread')) {
    return 'older lines do not fit: buffer_mb in [log] makes room';
  }
  const whys = tails.map(({log}) => log.heldFrom?.why);
  return whyWords(whys.find(why => why === 'asked') ?? whys[0]);
};

const whyWords = (why: HeldFrom['why'] | undefined): string => {
  switch (why) {
    case 'asked':
      return 'older lines were not asked for: --since reads them';
    case 'file':
      return 'the files of its pods reach no further back';
    case 'start':
      return 'the log begins there';
    case 'memory':
      return 'older lines did not fit into memory';
    case 'unread':
    case undefined:
      return 'the service holds nothing older';
    default:
      return why satisfies never;
  }
};
