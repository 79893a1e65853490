import {anyForm, type Format, group, timedForm} from '../../tokens/form.ts';

/** Python's logging, as its documentation shows it and as `basicConfig` sets it. */
export const python: Format = {
  forms: [
    // 2026-11-21 14:02:11,031 - shop.cart - ERROR - …
    timedForm`- ${group.logger} - ${group.upperLevel} - ${group.message}`,
    // ERROR:shop.cart:…
    anyForm`(?<level>DEBUG|INFO|WARNING|ERROR|CRITICAL):(?<logger>[\w.]{1,128}):${group.message}`,
  ],
};
