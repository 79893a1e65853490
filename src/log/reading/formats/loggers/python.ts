import {anyForm, type Format, group, letterForm, timedForm} from '../../form.ts';

/** Python's logging, as its documentation shows it and as `basicConfig` sets it. */
export const python: Format = {
  forms: [
    // 2026-11-21 14:02:11,031 - shop.cart - ERROR - …
    timedForm`- ${group.logger} - ${group.upperLevel} - ${group.message}`,
    // ERROR:shop.cart:…
    anyForm`(?<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?<logger>[\w.]{1,128}):${group.message}`,
  ],
};

/** Tornado and Jupyter. */
export const tornado: Format = {
  starts: /\[/,
  hint: text => text[2] === ' ' && text.includes('] '),
  forms: [
    // [E 261121 14:02:11 web:1789] …, [W 2026-11-21 14:02:11.031 ServerApp] …
    letterForm`\[(?<level>[DIWEC]) (?<time>(?:\d{6} |\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d(?:\.\d{3})?) (?<logger>[\w.:-]{1,128})\] ${group.message}`,
  ],
};
