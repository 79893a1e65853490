import {type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {levels: {Info: 'info', Warning: 'warn', Error: 'error', Fatal: 'fatal'}});

/** The log of Windows' component-based servicing. */
export const windowsCbs: Format = {
  starts: /\d/,
  hint: text => text[19] === ',',
  forms: [
    // 2016-09-28 04:30:30, Info                  CBS    Loaded Servicing Stack v6.1.7601.23505 …
    form`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d), (?<level>Info|Warning|Error|Fatal) {2,24}(?<logger>[A-Z]\w{1,15}) {1,8}${group.message}`,
  ],
};
