// Reads the stream by a library of Go and prints the id of each event: readers LIBRARY URL
package main

import (
	"fmt"
	"net/http"
	"os"
	"time"

	launchdarkly "github.com/launchdarkly/eventsource"
	r3labs "github.com/r3labs/sse/v2"
	tmaxmax "github.com/tmaxmax/go-sse"
	backoff "gopkg.in/cenkalti/backoff.v1"
)

func byR3labs(url string) error {
	client := r3labs.NewClient(url + "?after=now")
	client.ReconnectStrategy = backoff.NewConstantBackOff(time.Second)
	// It returns without an error where a stream ends as it should, and knows its place when it subscribes again.
	for ; ; time.Sleep(time.Second) {
		err := client.SubscribeRaw(func(event *r3labs.Event) {
			if string(event.Event) != "heartbeat" && len(event.Data) > 0 {
				fmt.Println(string(event.ID))
			}
		})
		fmt.Fprintln(os.Stderr, "r3labs/sse:", err)
	}
}

func byLaunchDarkly(url string) error {
	again := func(error) launchdarkly.StreamErrorHandlerResult { return launchdarkly.StreamErrorHandlerResult{} }
	stream, err := launchdarkly.SubscribeWithURL(url+"?after=now",
		launchdarkly.StreamOptionErrorHandler(again), launchdarkly.StreamOptionInitialRetry(time.Second))
	if err != nil {
		return err
	}
	for event := range stream.Events {
		if event.Event() != "heartbeat" {
			fmt.Println(event.Id())
		}
	}
	return nil
}

func byTmaxmax(url string) error {
	request, err := http.NewRequest(http.MethodGet, url+"?after=now", http.NoBody)
	if err != nil {
		return err
	}
	client := tmaxmax.Client{Backoff: tmaxmax.Backoff{InitialInterval: time.Second, MaxInterval: time.Second}}
	// It gives up at a 502: it is connected again, with the place that it reached.
	for ; ; time.Sleep(time.Second) {
		connection := client.NewConnection(request)
		connection.SubscribeMessages(func(event tmaxmax.Event) { fmt.Println(event.LastEventID) })
		connection.SubscribeToAll(func(event tmaxmax.Event) { request.Header.Set("Last-Event-ID", event.LastEventID) })
		fmt.Fprintln(os.Stderr, "tmaxmax/go-sse:", connection.Connect())
	}
}

func main() {
	read := map[string]func(string) error{"r3labs/sse": byR3labs, "launchdarkly/eventsource": byLaunchDarkly, "tmaxmax/go-sse": byTmaxmax}
	fmt.Fprintln(os.Stderr, read[os.Args[1]](os.Args[2]))
	os.Exit(1)
}
