import {anyForm, type Format, group} from '../../form.ts';

/** The log of an HPC cluster: a number, a node, a component, a state, seconds since 1970, a flag, a message. */
export const hpc: Format = {
  starts: /\d/,
  hint: text => text.lastIndexOf(' ', 10) > 0 && /^\d{1,10} [A-Za-z]/.test(text),
  forms: [
    // 134681 node-246 unix.hw state_change.unavailable 1077804742 1 Component State Change: …
    anyForm`(?<b3>\d{1,10}) (?<b1>[A-Za-z][\w.-]{1,64}) (?<logger>[a-z][\w.-]{1,64}) (?<b2>[a-z][\w.-]{1,64}) (?<time>\d{10}) (?<b4>\d{1,4}) ${group.message}`,
  ],
};
