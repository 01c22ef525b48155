import { getContext, setContext } from 'svelte'
import { get, type Status } from './api'
import { Document } from './live.svelte'

/** Asks for the status once for the whole page. */
export const provideStatus = () => setContext('status', new Document((signal) => get<Status>('status', signal)))

/** The status that the page has asked for. */
export const useStatus = () => getContext<Document<Status>>('status')
