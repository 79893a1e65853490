import {bracketedForm, type Format, group} from '../../form.ts';

/** Monolog's lines: Symfony, Laravel and others. */
export const monolog: Format = {
  forms: [
    // [2026-11-21T14:02:11+00:00] app.ERROR: Payment timed out {"order":26788} []
    bracketedForm`(?<logger>[\w-]{1,64})\.${group.upperLevel}: (?<message>\S.*?)(?: \[\]){0,2}`,
  ],
};
