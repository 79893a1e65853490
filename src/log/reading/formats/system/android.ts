import {type Format, formOf} from '../../form.ts';

const form = formOf('any', {
  levels: {V: 'trace', D: 'debug', I: 'info', W: 'warn', E: 'error', F: 'fatal', A: 'fatal'},
});
const message = '(?<message>.*)';
// `11-21 14:12:01.123` or `2026-11-21 14:12:01.123`
const isTimed = (text: string): boolean =>
  (text[2] === '-' && text[5] === ' ' && text[14] === '.') || (text[4] === '-' && text[10] === ' ' && text[19] === '.');
const time = String.raw`(?<time>(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?)`;
const slashed = String.raw`(?<level>[VDIWEFA])/(?:(?<logger>[^()/:]{1,64})\( *(?<b2>\d{1,7})\)|[A-Za-z][\w.$-]{2,63} *): ${message}`;

/** Android's logcat. */
export const android: Format = {
  starts: /[\dVDIWEFA]/,
  hint: text => isTimed(text) || text[1] === '/',
  forms: [
    // 11-21 14:12:01.123  123  456 E Tag: text (threadtime), with a user after the time if `-v uid` asks for it
    form`${time}(?: +(?<b3>[\w-]{1,16}))? +(?<b2>\d+ +\d+) +(?<level>[VDIWEFA]) (?<logger>[^:]{0,64}): ${message}`,
    // E/Tag( 123): text (brief), E/Tag: text (tag), both also after a time; `I/O: text` has no such tag
    form`${slashed}`,
    form`${time} +(?:(?<b3>\d+-\d+/\S+) )?${slashed}`,
  ],
};

const crash = /[ /]AndroidRuntime *(?:\( *\d+\))?: (?!FATAL EXCEPTION)/;
const frame = /^\s*(?:at |\.\.\. \d+ more|Caused by: |Suppressed: )/;

/**
 * Checks whether a logcat line continues the one above it: each frame of a stack trace has a head of its own, and so
 * has each line of a crash after its first.
 */
export const isAndroidFrame = (text: string): boolean => {
  for (const {pattern, groups} of android.hint?.(text) ? android.forms : []) {
    pattern.lastIndex = 0;
    const found = pattern.exec(text);
    if (found !== null) {
      const said = found[groups.message] ?? '';
      const level = found[groups.level];
      const isCrash = level === 'E' && crash.test(text);
      return frame.test(said) || isCrash;
    }
  }
  return false;
};
