import {type Format, timedForm} from '../../form.ts';

const head = String.raw`(?<b2>[\w.-]{1,128}) (?<logger>[\w./()-]{1,64}`;
const message = String.raw`(?:(?<b3>\[ *\d{1,9}\.\d{3,9}\]) ?)?(?<message>\S.*)`;

/**
 * The syslog daemon's prefix of a message: with a month's name or a process id, so that it is certain. The kernel puts
 * its clock after that.
 */
export const syslog: Format = {
  forms: [
    // Jun 14 15:16:01 web sshd[12]: …
    timedForm`${head}\[\d{1,10}\]): ${message}`,
    timedForm`(?<=^[A-Z].{1,64})${head}): ${message}`,
  ],
};
