import {anyForm, type Format, group} from '../../form.ts';

/** HealthApp, a step counter. */
export const healthApp: Format = {
  starts: /\d/,
  hint: text => text[8] === '-',
  forms: [
    // 20171223-22:15:29:606|Step_LSC|30002312|onStandStepChanged 3579
    anyForm`(?<time>\d{8}-\d\d?:\d\d?:\d\d?:\d{1,3})\|(?<logger>\w{1,64})\|(?<b2>\d{1,10})\|${group.message}`,
  ],
};
