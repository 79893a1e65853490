import {type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {levels: {EE: 'error', WW: 'warn', II: 'info', NI: 'info'}});

/** The log of the X server. */
export const xorg: Format = {
  starts: /\[/,
  hint: text => text.includes(']') && /\] \((?:EE|WW|II|NI)\)/.test(text),
  forms: [
    // [    12.345] (EE) Failed to load module "nvidia"
    form`(?<b2>\[ {0,10}\d{1,9}\.\d{3}\]) \((?<level>EE|WW|II|NI)\) ${group.message}`,
  ],
};
