import { mount } from 'svelte'
import App from './App.svelte'
import { follow } from './lib/live.svelte'
import './page.css'

// After the first news of the daemon, so that nothing is asked for twice.
void follow().then(() => mount(App, { target: document.body }))
