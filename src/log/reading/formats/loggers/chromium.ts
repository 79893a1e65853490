import {type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {levels: {VERBOSE: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error', FATAL: 'fatal'}});

/** Chromium, Electron and all that log by its base library. */
export const chromium: Format = {
  starts: /\[/,
  hint: text => text.includes(')] '),
  forms: [
    // [4711:4712:1121/140211.031456:ERROR:gpu_init.cc(426)] Passthrough is not supported
    form`\[(?:(?<b2>\d{1,10}:\d{1,10}):)?(?<time>\d{4}/\d{6}(?:\.\d{1,9})?):(?<level>VERBOSE|INFO|WARNING|ERROR|FATAL)(?<b3>\d{0,2}):(?<logger>[\w./-]{1,128}(?:\(\d{1,6}\)|:\d{1,6}))\] ${group.message}`,
  ],
};
