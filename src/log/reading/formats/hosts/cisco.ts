import {type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {
  levels: {0: 'fatal', 1: 'fatal', 2: 'fatal', 3: 'error', 4: 'warn', 5: 'info', 6: 'info', 7: 'debug'},
});

/** Switches and firewalls of Cisco: the severity is a digit in the name of the message. */
export const cisco: Format = {
  hint: text => text.includes('%') && /%[A-Z][\w-]{1,64}-[0-7]-/.test(text),
  forms: [
    // *Nov 21 14:02:11.031: %SYS-5-CONFIG_I: …, Nov 21 14:02:11 fw1 %ASA-3-106014: …
    form`(?:(?:<\d{1,3}>)?(?:\d{1,9}: )?[*.]?(?<time>[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d(?:\.\d{1,6})?)(?: [A-Z]{3,4})?:? )?(?:(?<b2>[\w.:-]{1,128}) (?:: )?)?%(?<logger>[A-Z]\w{1,32}(?:-\w{1,32})?)-(?<level>[0-7])-(?<b1>\w{1,64}): ${group.message}`,
  ],
};
