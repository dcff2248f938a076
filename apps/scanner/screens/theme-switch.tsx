/** The button that changes between the dark screen and the very bright one. */
import { changeTheme, useTheme } from '#apps/scanner/device/theme.ts';
import { RoundButton } from './parts.tsx';

/** Its name says what a tap does. */
export function ThemeSwitch() {
  const isSun = useTheme() === 'sun';
  return (
    <RoundButton
      icon={isSun ? 'moon' : 'sun'}
      label={isSun ? 'Schermo scuro' : 'Schermo per il sole'}
      onClick={() => changeTheme(isSun ? 'dark' : 'sun')}
    />
  );
}
