import {type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {levels: {Default: 'info', Info: 'info', Debug: 'debug', Error: 'error', Fault: 'fatal'}});

/** The unified log of macOS, as `log show` and `log stream` print it. */
export const macos: Format = {
  starts: /\d/,
  hint: text => text.includes(' 0x', 26),
  forms: [
    // 2026-11-21 14:02:11.031456+0000 0x1b2c Error 0x0 123 0 kernel: (Sandbox) …
    form`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}[+-]\d{4}) {1,4}(?<b1>0x[\da-f]{1,16}) {1,8}(?<level>Default|Info|Debug|Error|Fault) {1,12}(?<b2>0x[\da-f]{1,16} {1,20}\d{1,8} {1,8}\d{1,8}) {1,4}(?<logger>[^:]{1,64}): ${group.message}`,
  ],
};
