/** The environment variables that the settings are read from. */
export type Env = Record<string, string | undefined>;
