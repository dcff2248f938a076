/** Shows that something is loading, over the whole screen or in a line of text. */
interface SpinnerProps {
  fullScreen?: boolean;
  text?: string;
}

export function Spinner({ fullScreen = false, text = 'Caricamento…' }: SpinnerProps) {
  return (
    <output
      className={fullScreen ? 'ui-spinner ui-spinner-full' : 'ui-spinner'}
      aria-label="Attesa"
    >
      <span className="ui-spinner-ring" aria-hidden="true" />
      <span>{text}</span>
    </output>
  );
}
