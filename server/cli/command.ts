/** A command of the command line: its shape, what it is given, and how it refuses. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Config } from '#server/config.ts';
import type { BuiltContext } from '#server/context.ts';
import type { Actor } from '#server/services/context.ts';

export interface CommandIo {
  /**
   * Read at first use.
   * @throws ConfigError that names every fault
   */
  readonly config: Config;
  /** One JSON object instead of lines. */
  json: boolean;
  /** The terminal shows colours, and NO_COLOR is not set. */
  colour: boolean;
  /** A line for people; nothing with `--json`. */
  say(line: string): void;
  /** What `--json` prints, once; nothing without it. */
  report(value: unknown): void;
  /**
   * Opens the house, also while the server runs: no schema change, no lease dropped, no stand-in
   * started. Closed at the end.
   */
  open(): Promise<BuiltContext>;
}

export interface Command {
  name: string;
  /** One line a form, without the program's name. */ usage: readonly string[];
  /** One sentence for the list. */ help: string;
  /** What a person should know before they use it, line by line. */ more?: readonly string[];
  /** The exit code: 0 done, 1 refused or failed. Wrong usage and most refusals are thrown. */
  run(words: string[], io: CommandIo): Promise<number>;
}

/** Who did it, in the audit. */
export const cliActor: Actor = 'cli';

/** Nothing was done, and the sentence says why. Exit code 1. */
export class Refused extends Error {}

/** The command cannot be read so. Exit code 2. */
export class Misused extends Error {}

/**
 * The words and options of a command.
 * @throws Misused for an unknown option, and unless there are `least` to `most` words
 */
export function readWords<const O extends NonNullable<ParseArgsConfig['options']>>(
  words: string[],
  { options, least = 0, most = least }: { options?: O; least?: number; most?: number },
) {
  const read = parse(words, (options ?? {}) as O);
  if (read.positionals.length < least) throw new Misused('Manca qualcosa.');
  if (read.positionals.length > most) throw new Misused(`Non capisco «${read.positionals[most]}».`);
  return read;
}

function parse<O extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    const [, option] = /'(-[^' ]*)/.exec((error as Error).message) ?? [];
    throw new Misused(
      option === undefined ? 'Non capisco queste parole.' : `Non capisco l’opzione «${option}».`,
    );
  }
}
