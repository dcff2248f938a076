/** A button for slow acts: busy until 200 ms after the act, errors in a modal (RULES W5). */
import { useRef, useState, type ComponentProps } from 'react';
import { errorMessage } from '#apps/shared/error-message.ts';
import { Modal } from './modal.tsx';

/** RULES W5: the button stays disabled this long after an act has ended. */
const reEnableDelayMs = 200;

type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'quiet' | 'bare';

interface AsyncButtonProps extends Omit<ComponentProps<'button'>, 'onClick'> {
  onClick: () => Promise<unknown> | void;
  /** 'bare' has no style; `className` must give one. */
  variant?: ButtonVariant;
  /** The caller is busy for another reason. */
  busy?: boolean;
}

/** Runs one click at a time and holds the error message. */
function useClick(onClick: AsyncButtonProps['onClick'], busy: boolean) {
  const [working, setWorking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // State changes one render late, but two taps within a frame must count as one click.
  const running = useRef(false);

  async function run() {
    if (running.current || busy) return;
    running.current = true;
    setWorking(true);
    try {
      await onClick();
    } catch (error) {
      setFailure(errorMessage(error));
    }
    setTimeout(() => {
      running.current = false;
      setWorking(false);
    }, reEnableDelayMs);
  }

  return { run, isBusy: working || busy, failure, close: () => setFailure(null) };
}

export function AsyncButton({
  onClick,
  variant = 'secondary',
  busy = false,
  disabled = false,
  className = '',
  children,
  ...rest
}: AsyncButtonProps) {
  const { run, isBusy, failure, close } = useClick(onClick, busy);
  // A busy button is not `disabled`, because that would drop the keyboard focus.
  const look = variant === 'bare' ? 'ui-async' : `ui-async ui-button ui-button-${variant}`;
  return (
    <>
      <button
        type="button"
        {...rest}
        className={`${look} ${className}`.trim()}
        disabled={disabled}
        aria-disabled={disabled || isBusy}
        aria-busy={isBusy}
        onClick={() => void run()}
      >
        {children}
      </button>
      {failure !== null && (
        <Modal
          title={`Errore: ${failure}`}
          role="alertdialog"
          onClose={close}
          actions={
            <button type="button" className="ui-button ui-button-primary" onClick={close}>
              Chiudi
            </button>
          }
        />
      )}
    </>
  );
}
