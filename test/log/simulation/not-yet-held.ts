import type {Trait} from './traits.ts';

/** Traits that no service of the suite has yet, since logs of services that have them go wrong too often, and what is wrong then. `npm run false-gaps` draws them. */
export const notYetHeld: ReadonlyMap<Trait, string> = new Map<Trait, string>([
  [
    'told-losses',
    'the range of a quiet source’s loss lies around its last old line; a second loss at one number is not told',
  ],
  ['told-far-times', 'times that a service gives are believed, whatever they are'],
  ['empty-start', 'nothing is told of what came and went between an empty first answer and the first lines'],
  ['replicas', 'a line in another form is another line'],
  ['commas', 'stamps with a comma are not read'],
  ['unreadable', 'a log without readable stamps is whole since 1970'],
  ['forged', 'a stamp that is no clock’s bounds a gap'],
  ['copies', 'equal lines that only numbers tell apart are one'],
  ['same-texts', 'likewise'],
  ['equal-frames', 'likewise, and frames are held twice where their neighbours change'],
  ['long-traces', 'likewise'],
  ['braces', 'likewise'],
  ['unstamped', 'a line without a timestamp whose neighbours change is held twice'],
  ['unstamped-anywhere', 'likewise'],
  ['local-hour', 'what is lost before the hour comes again is outside the range'],
  ['outages', 'after empty answers nothing is told'],
  ['from-one', 'a series that begins anew in each answer is believed'],
  ['set-back', 'a counter that is set back is believed'],
  ['old-replica', 'lines of an older series are held twice'],
  ['hidden-lines', 'each hole of access rules is a marker'],
]);
