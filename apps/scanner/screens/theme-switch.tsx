/** The button that changes between the dark screen and the very bright one. */
import { Icon } from '#apps/shared/ui/icon.tsx';
import { changeTheme, useTheme } from '#apps/scanner/device/theme.ts';
import button from './button.module.css';

/** Its name says what a tap does. */
export function ThemeSwitch() {
  const isSun = useTheme() === 'sun';
  return (
    <button
      type="button"
      className={button.round}
      aria-label={isSun ? 'Schermo scuro' : 'Schermo per il sole'}
      onClick={() => changeTheme(isSun ? 'dark' : 'sun')}
    >
      <Icon name={isSun ? 'moon' : 'sun'} size={26} />
    </button>
  );
}
