import {type Format, group, timedForm} from '../../tokens/form.ts';

const {upperLevel, logger, dottedLogger, message} = group;
const thread = String.raw`\[(?<b2>[^\]]{1,80})\]`;

/** Loggers of Java as Spring Boot, Logback, Hadoop, ZooKeeper and Spark set them. */
export const java: Format = {
  forms: [
    // 2026-11-21T14:02:11.031Z  INFO 1 --- [main] c.e.Shop  : …
    timedForm`${upperLevel} (?<b3>\d{1,10}) --- \[ *(?<b2>[^\]]{1,80})\] ${logger} *: ${message}`,
    // 14:02:11.031 [main] INFO  c.e.Shop - …
    timedForm`${thread} ${upperLevel} {1,3}${logger} - ${message}`,
    // 2015-10-18 18:01:47,978 INFO [main] org.A: …
    timedForm`${upperLevel} {1,3}${thread} ${logger}(?::| -) ${message}`,
    // 2015-07-29 17:41:44,747 - INFO  [QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181:Learner@774] - …
    timedForm`- ${upperLevel} {1,3}\[(?<logger>\S{1,160})\] - ${message}`,
    // 17/06/09 20:10:40 INFO executor.Backend: …; HDFS: 081109 203615 148 INFO dfs.DataNode: …
    timedForm`(?:(?<b2>\d{1,10}) )?${upperLevel} {1,3}${dottedLogger}: ${message}`,
  ],
};
