/** The environment that the readers of settings get. */
export type Env = Record<string, string | undefined>;
