import {type Format, formOf, group} from '../../form.ts';

const dated = ['bracketed', 'time'] as const;

/** A time and a level, whoever wrote them. */
export const timed: Format = {
  forms: [
    // 2026-11-21T14:02:11Z ERROR …, [14:02:11] [warn] …, [21-Nov-2026 14:02:11] WARNING: …
    formOf(dated)`\[${group.level}\] {1,3}${group.message}`,
    formOf(dated)`${group.upperLevel}(?<b1>[+-]\d{1,2})?:? {1,3}${group.message}`,
    formOf(dated)`(?<level>trace|debug|info|warn|warning|error|fatal|critical):? {1,3}${group.message}`,
  ],
};
