import {type Format, group, timedForm} from '../../form.ts';

/** nginx's error log. */
export const nginxError: Format = {
  forms: [
    // 2026/11/21 14:02:11 [error] 31#31: *40112 upstream timed out …, client: 10.2.0.7, server: …
    timedForm`\[${group.level}\] (?<b2>\d{1,10}#\d{1,10}): (?:(?<b3>\*\d{1,19}) )?(?<message>\S(?:[^,]|,(?! client: ))*)(?:, (?<b1>client: .*))?`,
  ],
};
