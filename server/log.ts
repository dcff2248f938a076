/**
 * The log: JSON lines without secrets and addresses, in which a fault that repeats has one line a
 * minute with the number of its repeats.
 */
import pino, { type LogFn, type LoggerOptions } from 'pino';
import { isDatabaseAway } from '#db/engine/dialect.ts';
import { hideSecrets, type Config } from './config.ts';
import type { Ctx } from './services/context.ts';
import { logName } from './services/kit/log-name.ts';

export function makeLog({ logLevel }: Pick<Config, 'logLevel'>): Ctx['log'] {
  return pino({
    level: logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.cookie', '*.email', '*.token', '*.password'],
    serializers: { order_id: logName, subject: logName, err: logError, why: withoutAddresses },
    hooks: { logMethod: onceAMinute() },
  });
}

/** Logs nothing, because a command reports its errors itself and prints only its answer. */
export function makeQuietLog(): Ctx['log'] {
  return pino({ level: 'silent' });
}

const minuteMs = 60_000;
/** pino's number of the level `warn`; lines below it are about one request or act each. */
const warnLevel = 40;
/** The most faults that are remembered; further ones are written each time. */
const mostFaults = 200;

interface Repeated {
  others: number;
  /** Writes a line with this count. */ tell: (others: number) => void;
}

/** Holds back what was logged within the last minute, and then logs it once with its count. */
function onceAMinute(): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  const faults = new Map<string, Repeated>();
  const wait = (key: string) =>
    setTimeout(() => {
      const fault = faults.get(key);
      if (fault === undefined || fault.others === 0) return void faults.delete(key);
      fault.tell(fault.others);
      fault.others = 0;
      wait(key);
    }, minuteMs).unref();
  return function write(args, method, level) {
    if (level < warnLevel) return method.apply(this, args);
    const key = faultOf(args);
    const known = faults.get(key);
    const tell = (others: number) => method.apply(this, counted(args, others));
    if (known !== undefined) {
      Object.assign(known, { others: known.others + 1, tell });
      return undefined;
    }
    if (faults.size < mostFaults) {
      faults.set(key, { others: 0, tell });
      wait(key);
    }
    return method.apply(this, withoutStackIfAway(args));
  };
}

type Args = Parameters<LogFn>;

function fieldsOf([first]: Args): Record<string, unknown> {
  return typeof first === 'object' && first !== null ? { ...first } : {};
}

/** The same for two lines that differ only in times, numbers and ids. */
function faultOf(args: Args): string {
  const { err, why, code, task, job, check } = fieldsOf(args);
  if (isDatabaseAway(err)) return 'database away';
  const reason = err instanceof Error ? `${err.name} ${err.message}` : String(why ?? '');
  const told = [args.find((arg) => typeof arg === 'string'), code, task, job, check, reason];
  // An id has a digit; the name of a job or of a constraint has none, and tells faults apart.
  return told.join(' ').replace(/\b(?=[\w-]*\d)[\w-]{16,}|\d+/g, '#');
}

/** A repeat needs no stack: the first line had it. */
function counted(args: Args, others: number): Args {
  const { err, ...fields } = fieldsOf(args);
  const why = err instanceof Error ? err.message : fields['why'];
  return [{ ...fields, why, others }, args.find((arg) => typeof arg === 'string')] as Args;
}

/** While the database is away every call fails, each at another place of the program. */
function withoutStackIfAway(args: Args): Args {
  const { err } = fieldsOf(args);
  return isDatabaseAway(err) ? counted(args, 0) : args;
}

/** Removes mail addresses: a mail server repeats an address that it refuses. */
function withoutAddresses(text: unknown): unknown {
  return typeof text === 'string'
    ? hideSecrets(text).replace(/[^\s<>"'@\\]+@[^\s<>"'@\\]+/g, '…@…')
    : text;
}

/** Each text by itself: in JSON a secret may have another spelling, or be a number of the error. */
function logError(error: Error): unknown {
  const json = JSON.stringify(pino.stdSerializers.err(error), (_, value) =>
    withoutAddresses(value),
  );
  return json === undefined ? undefined : JSON.parse(json);
}
