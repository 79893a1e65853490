import {type Format, formOf, group} from '../../tokens/form.ts';

/** Python's logging, as its documentation shows it and as `basicConfig` sets it. */
export const python: Format = {
  forms: [
    // 2026-11-21 14:02:11,031 - shop.cart - ERROR - …
    formOf('time', `- ${group.logger} - ${group.upperLevel} - ${group.message}`),
    // ERROR:shop.cart:…
    formOf('any', String.raw`(?<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?<logger>[\w.]{1,128}):${group.message}`),
  ],
};
