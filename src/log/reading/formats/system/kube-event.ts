import {type Format, formOf, group} from '../../form.ts';

const form = formOf('any', {levels: {Normal: 'info', Warning: 'warn'}, isLoose: true});

/** An event of Kubernetes as it stands among the lines of a branch. Its message may mention any level. */
export const kubeEvent: Format = {
  starts: /[NW]/,
  hint: text => text.startsWith('Normal ') || text.startsWith('Warning '),
  forms: [
    // Warning BackOff pod/web-1: …
    form`(?<level>Normal|Warning) (?<logger>[A-Z][A-Za-z]{1,127} [a-z]{1,63}/[^\s:]{1,320}): ${group.message}`,
  ],
};
