import {type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {levels: {'D!': 'debug', 'I!': 'info', 'W!': 'warn', 'E!': 'error'}});

/** Telegraf. */
export const telegraf: Format = {
  starts: /\d/,
  hint: text => text[4] === '-' && text.lastIndexOf('! ', 32) > 0,
  forms: [
    // 2026-11-21T14:02:11Z E! [outputs.influxdb] When writing to …
    form`(?<time>\d{4}-\d\d-\d\d[T ][\d:.]{8,18}(?:Z|[+-]\d\d:?\d\d)?) (?<level>[DIWE]!) (?:\[(?<logger>[^\]]{1,128})\] )?${group.message}`,
  ],
};
