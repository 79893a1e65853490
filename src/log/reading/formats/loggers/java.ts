import {type Format, formOf, group, tellingForm, timedForm} from '../../form.ts';

const {upperLevel, logger, dottedLogger, message} = group;
const thread = String.raw`\[(?<b2>[^\]]{1,80})\]`;
const paddedThread = String.raw`\[ *(?<b2>[^\]]{1,80})\]`;
const application = String.raw`\[ *(?<b4>[^\]]{1,80})\]`;
/** The trace and the span, also with the application's name. Without any the brackets hold blanks. */
const traced = String.raw`\[(?<b1>[^\]]{1,160})\]`;

const letterForm = formOf('any', {
  levels: {F: 'fatal', E: 'error', W: 'warn', A: 'info', I: 'info', C: 'info', D: 'debug', O: 'info', R: 'info'},
});

/** Loggers of Java as Spring Boot, Logback, Hadoop, ZooKeeper, Spark and servers of applications set them. */
export const java: Format = {
  forms: [
    // 2026-11-21T14:02:11.031Z  INFO 1 --- [main] c.e.Shop  : …
    // … INFO 1 --- [shop] [main] c.e.Shop  : …; … INFO [shop,4bf92f…,00f067…] 1 --- [main] c.e.Shop  : …
    timedForm`${upperLevel} {1,3}(?:${traced} )?(?<b3>\d{1,10}) --- (?:${application} )?${paddedThread} ${logger} *: ${message}`,
    // … INFO 1 --- [shop] [main] [4bf92f…-00f067…] c.e.Shop  : …
    timedForm`${upperLevel} {1,3}(?<b3>\d{1,10}) --- ${application} ${paddedThread} ${traced} ${logger} *: ${message}`,
    // 14:02:11.031 [main] INFO  c.e.Shop - …
    timedForm`${thread} ${upperLevel} {1,3}${logger} - ${message}`,
    // 21-Nov-2026 14:02:11.031 SEVERE [main] org.apache.catalina.startup.Catalina.start …
    timedForm`${upperLevel} {1,3}${thread} ${dottedLogger} ${message}`,
    // 2015-10-18 18:01:47,978 INFO [main] org.A: …
    timedForm`${upperLevel} {1,3}${thread} ${logger}(?::| -) ${message}`,
    // 2015-07-29 17:41:44,747 - INFO  [QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181:Learner@774] - …
    timedForm`- ${upperLevel} {1,3}\[(?<logger>\S{1,160})\] - ${message}`,
    // 17/06/09 20:10:40 INFO executor.Backend: …; HDFS: 081109 203615 148 INFO dfs.DataNode: …
    timedForm`(?:(?<b2>\d{1,10}) )?${upperLevel} {1,3}${dottedLogger}: ${message}`,
  ],
};

/** Servers of applications: WebLogic, Jetty, WebSphere and other products of IBM. */
export const javaServers: Format = {
  starts: /[#[A-Z\d]/,
  hint: text => text[23] === ':' || /^(?:####<|\[\d{1,2}\/|[A-Z]{3,5}\d{4,5}[EWI]: )/.test(text),
  forms: [
    // ####<Nov 21, 2026 2:02:11,031 PM UTC> <Error> <HTTP> <host> <server> <thread> … <BEA-101017> <…>
    letterForm`####<(?<time>[^>]{15,40})> <(?<level>[A-Z][a-z]{3,12})> <(?<logger>[^>]{1,64})> (?<b2><.{1,512}?> <BEA-\d{1,6}>) <${message}`,
    // [11/21/26 14:02:11:031 UTC] 0000000a WebContainer  E SRVE0255E: …
    letterForm`\[(?<time>\d{1,2}/\d{1,2}/\d{2} \d{1,2}:\d\d:\d\d:\d{3} \w{1,5})\] (?<b2>[\da-f]{8}) (?<logger>[\w.]{1,32}) {1,14}(?<level>[FEWAICDOR]) {1,4}${message}`,
    // 2026-11-21 14:02:11.031:WARN:oejs.HttpChannel:qtp12-34: …
    tellingForm`(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}):${upperLevel}:${logger}:(?<b2>[^: ]{1,64}): ${message}`,
    // AMQ9999E: …
    letterForm`(?<logger>[A-Z]{3,5}\d{4,5})(?<level>[EWI]): ${message}`,
  ],
};
