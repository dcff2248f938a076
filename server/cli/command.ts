/** What a command is, what it gets to run with, and its errors. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Config } from '#server/config.ts';
import { maskSecret } from '#server/settings.ts';
import type { BuiltContext } from '#server/context.ts';
import type { Actor } from '#server/services/context.ts';

export interface CommandIo {
  /** The configuration, read when first used. @throws ConfigError that names every fault */
  readonly config: Config;
  /** True: the command prints one JSON object instead of lines. */
  json: boolean;
  /** True: the terminal shows colours and NO_COLOR is not set. */
  colour: boolean;
  /** Prints a line for people; prints nothing with `--json`. */
  say(line: string): void;
  /** Prints the answer with `--json`, once; prints nothing without it. */
  report(value: unknown): void;
  /**
   * Opens the house, also while the server runs: changes no schema, ends no lease, starts no
   * stand-in. The house is closed at the end.
   */
  open(): Promise<BuiltContext>;
}

export interface Command {
  name: string;
  /** One line for each form of the command, without the program's name. */
  usage: readonly string[];
  /** One sentence for the list of commands. */ help: string;
  /** Lines that a person should read before using the command. */ more?: readonly string[];
  /**
   * Returns the exit code: 0 done, 1 refused or failed. Throws for wrong usage, most refusals.
   */
  run(words: string[], io: CommandIo): Promise<number>;
}

/** The actor of commands in the audit. */
export const cliActor: Actor = 'cli';

/** Nothing was done; the message says why. Exit code 1. */
export class Refused extends Error {}

/** The words of the command are wrong. Exit code 2. */
export class Misused extends Error {}

/**
 * Reads a command's words and options.
 * @throws Misused for an unknown option, and for fewer words than `least` or more than `most`
 */
export function readWords<const O extends NonNullable<ParseArgsConfig['options']>>(
  words: string[],
  { options, least = 0, most = least }: { options?: O; least?: number; most?: number },
) {
  const read = parse(words, (options ?? {}) as O);
  if (read.positionals.length < least) throw new Misused('Manca qualcosa.');
  if (read.positionals.length > most)
    throw new Misused(`Non capisco «${told(read.positionals[most] ?? '')}».`);
  return read;
}

/** An address may have a password. */
function told(word: string): string {
  return word.includes('://') ? maskSecret(word) : word;
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
