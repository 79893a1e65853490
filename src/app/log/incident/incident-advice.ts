import {keyFor} from '#app/keys/keymap.ts';
import type {LogState, State} from '#app/state/state.ts';
import type {Verdict} from '#log/incident/verdict.ts';
import {olderWords} from './older-words.ts';

type Why = Extract<Verdict, {readonly kind: 'unknown'}>['why']['why'];

/** Says what would help where nobody can tell. */
export const adviceWords = ({context}: Pick<State, 'context'>, log: LogState, {why}: {readonly why: Why}): string => {
  const key = (command: Parameters<typeof keyFor>[0]): string => keyFor(command, 'log');
  switch (why) {
    case 'older':
    case 'unread':
    case 'noBaseline':
      return olderWords(log);
    case 'silence':
    case 'noLines':
      return context.parts === 'none'
        ? 'look whether who writes it still runs; this is judged again with each line'
        : `${key('togglePods')} shows whether it still runs; this is judged again with each line`;
    case 'unreadable':
      return `${key('togglePods')} shows who runs; ${key('toggleInspector')} what the service answered`;
    case 'outage':
    case 'notLines':
      return `${key('toggleInspector')} shows what was answered, ${key('tryNow')} asks again`;
    case 'gap':
    case 'loss':
    case 'quiet':
      return `${key('goToTime')} with a range, such as 14:02 to 14:05, judges only what is held whole`;
    case 'tooShort':
      return 'wait a minute';
    case 'reading':
      return 'wait until it is read';
    default:
      return why satisfies never;
  }
};
